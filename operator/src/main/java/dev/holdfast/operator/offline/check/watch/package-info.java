/**
 * Follows a live cluster, and finds each change of its violations.
 *
 * <p>The threads of the feeds, and one for each kind of policies, put what they hear into the queue of {@link
 * dev.holdfast.operator.offline.check.watch.ClusterWatch}. They wait while it is full. The thread of the command takes
 * it from there: it alone touches the indexes, and prints.
 */
@NullMarked
package dev.holdfast.operator.offline.check.watch;

import org.jspecify.annotations.NullMarked;
