package dev.holdfast.policies.index.table;

import dev.holdfast.policies.model.Labels;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The labels in use by pods and nodes, each kept once and forgotten with the last label set that has it. Their keys are the
 * very strings that the JVM has for all, so that a rule which reads a key by such a string finds it without comparing any.
 */
public final class Dictionary {
    private final Map<Pair, Pair> pairs = new HashMap<>();
    private final Shared<String, String> keys = new Shared<>();

    /** {@return equal labels made of shared words} */
    public Labels acquire(Labels labels) {
        String[] keysAndValues = new String[labels.size() * 2];
        for (int i = 0; i < labels.size(); i++) {
            Pair pair = pair(new Pair(labels.key(i), labels.value(i)));
            pair.users++;
            keysAndValues[2 * i] = pair.key;
            keysAndValues[2 * i + 1] = pair.value;
        }
        return labels.madeOf(keysAndValues);
    }

    private Pair pair(Pair wanted) {
        Pair known = pairs.get(wanted);
        if (known == null) {
            known = new Pair(keys.acquire(wanted.key, String::intern), wanted.value);
            pairs.put(known, known);
        }
        return known;
    }

    /** Gives back labels that are no longer in use. */
    public void release(Labels labels) {
        for (int i = 0; i < labels.size(); i++) {
            Pair pair = Objects.requireNonNull(
                    pairs.get(new Pair(labels.key(i), labels.value(i))), "released more often than acquired");
            pair.users--;
            if (pair.users == 0) {
                pairs.remove(pair);
                keys.release(pair.key);
            }
        }
    }

    public boolean isEmpty() {
        return pairs.isEmpty() && keys.isEmpty();
    }
}
