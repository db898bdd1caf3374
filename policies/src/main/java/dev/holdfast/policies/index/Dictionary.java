package dev.holdfast.policies.index;

import dev.holdfast.policies.model.Labels;

/** The keys and values of all labels in use, each kept once and forgotten with the last label set that has it. */
final class Dictionary {
    private final Shared<String, String> words = new Shared<>();

    /** {@return equal labels made of shared words} */
    Labels acquire(Labels labels) {
        String[] keysAndValues = new String[labels.size() * 2];
        for (int i = 0; i < labels.size(); i++) {
            keysAndValues[2 * i] = words.acquire(labels.key(i), word -> word);
            keysAndValues[2 * i + 1] = words.acquire(labels.value(i), word -> word);
        }
        return Labels.ofSorted(keysAndValues);
    }

    /** Gives back labels that are no longer in use. */
    void release(Labels labels) {
        for (int i = 0; i < labels.size(); i++) {
            words.release(labels.key(i));
            words.release(labels.value(i));
        }
    }

    boolean isEmpty() {
        return words.isEmpty();
    }
}
