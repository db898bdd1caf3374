package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Node;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A {@link NodeRejection} that is prepared when the first node is checked, because preparing it reads many pods. */
final class LazyRejection implements NodeRejection {
    private final Supplier<NodeRejection> supplier;
    private @Nullable NodeRejection value;

    LazyRejection(Supplier<NodeRejection> maker) {
        this.supplier = maker;
    }

    @Override
    public Optional<String> to(Node node) {
        if (value == null) {
            value = supplier.get();
        }
        return value.to(node);
    }
}
