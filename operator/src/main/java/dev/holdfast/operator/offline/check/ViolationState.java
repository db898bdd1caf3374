package dev.holdfast.operator.offline.check;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What policies ask for about a violation, from mild to grave. */
public enum ViolationState {
    /** No policy asks for the rule. */
    UNASKED("", "without a policy"),
    /** Each policy that counts for the rule has an exception that names the pod. */
    EXCEPTED("Excepted", "with an exception"),
    /** Policies ask for the rule in mode Audit only. */
    AUDITED("Audited", "audited"),
    /** A policy enforces the rule, and its forgiveness has not passed, or it is not known since when it runs. */
    ENFORCED("Enforced", "enforced and not known to be due"),
    /** A policy enforces the rule, and its forgiveness has passed. */
    DUE("Due", "due");

    private final String label;
    private final String words;

    ViolationState(String label, String words) {
        this.label = label;
        this.words = words;
    }

    /** {@return the state as documents have it} */
    @JsonValue
    public String label() {
        return label;
    }

    /** {@return whether a policy enforces the rule, and no exception names the pod} */
    public boolean isEnforced() {
        return compareTo(ENFORCED) >= 0;
    }

    /** {@return how many violations have which state: {@code 2 audited, 1 due}; the gravest state comes last} */
    public static String count(List<ViolationState> states) {
        return Stream.of(values())
                .flatMap(state -> {
                    int number = Collections.frequency(states, state);
                    return number == 0 ? Stream.empty() : Stream.of(number + " " + state.words);
                })
                .collect(Collectors.joining(", "));
    }
}
