package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Node;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An objection that is prepared when it is asked for the first time: to prepare one takes a look at many pods. */
final class Prepared implements Objection {
    private final Supplier<Objection> maker;
    private @Nullable Objection made;

    Prepared(Supplier<Objection> maker) {
        this.maker = maker;
    }

    @Override
    public Optional<String> to(Node node) {
        if (made == null) {
            made = maker.get();
        }
        return made.to(node);
    }
}
