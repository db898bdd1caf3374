/** Tests of the forms in which violations are printed. */
@NullMarked
package dev.holdfast.operator.offline.check.form;

import org.jspecify.annotations.NullMarked;
