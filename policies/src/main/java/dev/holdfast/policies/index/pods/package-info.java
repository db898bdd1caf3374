/** Which pods there are, which rules policies ask of them, and which groups they belong to. */
@NullMarked
package dev.holdfast.policies.index.pods;

import org.jspecify.annotations.NullMarked;
