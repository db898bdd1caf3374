package dev.holdfast.policies.index.table;

import dev.holdfast.policies.model.Labels;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The labels of all pods and nodes, each stored once with a reference count. Label keys are interned with {@link
 * String#intern}. So a rule whose key is interned too finds a label without comparing characters.
 */
public final class LabelPool {
    /** The bytes of a label beside its characters: two strings, and its entry in the pool. */
    private static final int BESIDE_CHARACTERS = 160;

    private long bytes;

    private final Map<InternedLabel, InternedLabel> internedLabels = new HashMap<>();

    /**
     * Adds a reference to each of these labels, and returns equal labels whose strings are shared with all other labels
     * in the pool. The caller must release the labels.
     */
    public Labels acquire(Labels labels) {
        String[] keysAndValues = new String[labels.size() * 2];
        for (int i = 0; i < labels.size(); i++) {
            InternedLabel internedLabel = pair(new InternedLabel(labels.key(i), labels.value(i)));
            internedLabel.users++;
            keysAndValues[2 * i] = internedLabel.key;
            keysAndValues[2 * i + 1] = internedLabel.value;
        }
        return labels.withSharedParts(keysAndValues);
    }

    private InternedLabel pair(InternedLabel wanted) {
        InternedLabel known = internedLabels.get(wanted);
        if (known == null) {
            known = new InternedLabel(wanted.key.intern(), wanted.value);
            internedLabels.put(known, known);
            bytes += bytes(known.key, known.value);
        }
        return known;
    }

    private static int bytes(String key, String value) {
        return BESIDE_CHARACTERS + key.length() + value.length();
    }

    /** {@return about how many bytes the labels in the pool would take together with these} */
    public long bytesWith(Labels labels) {
        long all = bytes;
        for (int i = 0; i < labels.size(); i++) {
            if (!internedLabels.containsKey(new InternedLabel(labels.key(i), labels.value(i)))) {
                all += bytes(labels.key(i), labels.value(i));
            }
        }
        return all;
    }

    /** Removes a reference to each of these labels. Labels equal to these must have been acquired before. */
    public void release(Labels labels) {
        for (int i = 0; i < labels.size(); i++) {
            InternedLabel internedLabel = Objects.requireNonNull(
                    internedLabels.get(new InternedLabel(labels.key(i), labels.value(i))),
                    "released more often than acquired");
            internedLabel.users--;
            if (internedLabel.users == 0) {
                internedLabels.remove(internedLabel);
                bytes -= bytes(internedLabel.key, internedLabel.value);
            }
        }
    }

    public boolean isEmpty() {
        return internedLabels.isEmpty();
    }
}
