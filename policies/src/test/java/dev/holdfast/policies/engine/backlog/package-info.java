/** Tests of what backlogs remember and count. */
@NullMarked
package dev.holdfast.policies.engine.backlog;

import org.jspecify.annotations.NullMarked;
