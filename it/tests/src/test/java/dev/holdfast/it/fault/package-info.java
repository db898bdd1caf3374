/** What goes wrong between the operator and its API server, played on a real one: through a proxy, and by ending servers. */
@NullMarked
package dev.holdfast.it.fault;

import org.jspecify.annotations.NullMarked;
