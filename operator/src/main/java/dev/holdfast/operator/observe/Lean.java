package dev.holdfast.operator.observe;

import dev.holdfast.operator.decode.MalformedException;
import dev.holdfast.operator.decode.NamespaceDecoder;
import dev.holdfast.operator.decode.NodeDecoder;
import dev.holdfast.operator.decode.ObjectDecoder;
import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.decode.Region;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A kind whose objects come as protobuf, straight into facts.
 *
 * @param path under which the API server serves all of them: {@code /api/v1/pods}
 * @param id what tells that an object is gone
 */
record Lean<F>(
        String path,
        ObjectDecoder<F> decoder,
        Function<F, String> id,
        ToLongFunction<F> version,
        Function<F, ClusterEvent> changed) {
    static Lean<Pod> pods() {
        return new Lean<>(
                "/api/v1/pods", new PodDecoder(), Pod::uid, Pod::resourceVersion, ClusterEvent.PodChanged::new);
    }

    static Lean<Node> nodes() {
        return new Lean<>(
                "/api/v1/nodes", new NodeDecoder(), Node::name, Node::resourceVersion, ClusterEvent.NodeChanged::new);
    }

    static Lean<Namespace> namespaces() {
        return new Lean<>(
                "/api/v1/namespaces",
                new NamespaceDecoder(),
                Namespace::name,
                Namespace::resourceVersion,
                ClusterEvent.NamespaceChanged::new);
    }

    void changed(Sight sight, Region object) throws MalformedException {
        F fact = decoder.decode(object);
        sight.changed(id.apply(fact), version.applyAsLong(fact), changed.apply(fact));
    }

    void deleted(Sight sight, Region object) throws MalformedException {
        F fact = decoder.decode(object);
        sight.deleted(id.apply(fact), version.applyAsLong(fact));
    }
}
