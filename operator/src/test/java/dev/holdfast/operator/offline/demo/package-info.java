@NullMarked
package dev.holdfast.operator.offline.demo;

import org.jspecify.annotations.NullMarked;
