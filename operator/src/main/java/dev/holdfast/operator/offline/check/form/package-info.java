/** The forms in which the violations of a cluster are printed: tables, groups, names and documents. */
@NullMarked
package dev.holdfast.operator.offline.check.form;

import org.jspecify.annotations.NullMarked;
