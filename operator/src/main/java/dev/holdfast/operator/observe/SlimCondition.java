package dev.holdfast.operator.observe;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A condition of a pod or node. */
@JsonIgnoreProperties(ignoreUnknown = true)
record SlimCondition(@Nullable String type, @Nullable String status) {
    /** {@return whether a condition {@code Ready} is there and true} */
    static boolean ready(@Nullable List<SlimCondition> conditions) {
        return conditions != null
                && conditions.stream().anyMatch(it -> "Ready".equals(it.type()) && "True".equals(it.status()));
    }
}
