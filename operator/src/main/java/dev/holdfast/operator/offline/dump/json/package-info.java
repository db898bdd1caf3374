/** Translates JSON of Kubernetes objects into protobuf, so that dumps are decoded as answers of an API server are. */
@NullMarked
package dev.holdfast.operator.offline.dump.json;

import org.jspecify.annotations.NullMarked;
