/** What the operator decodes, against an API server's own bytes. */
@NullMarked
package dev.holdfast.it.decode;

import org.jspecify.annotations.NullMarked;
