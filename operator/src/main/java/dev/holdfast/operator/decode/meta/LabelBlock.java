package dev.holdfast.operator.decode.meta;

import dev.holdfast.policies.model.Labels;
import java.util.Locale;
import java.util.Optional;

/**
 * The labels of an object except region and zone ({@link Labels#NODE_KEYS}), and whether they make a pod a member of a
 * gang. All pods of a template share one cached block.
 *
 * @param labels all labels except region and zone; {@link Labels#unread} if there are more than Holdfast reads
 * @param hostname the label {@code kubernetes.io/hostname} alone, which is read in any case; empty if there is none
 * @param gangMember whether the labels make a pod a member of a gang (pods that are scheduled and deleted together)
 * @param tooMany how many labels or characters there are, and how many Holdfast reads; empty if it reads all
 */
public record LabelBlock(Labels labels, Labels hostname, boolean gangMember, Optional<String> tooMany) {
    static final LabelBlock NONE = new LabelBlock(Labels.none(), Labels.none(), false, Optional.empty());

    private static final String HOSTNAME = "kubernetes.io/hostname";

    /**
     * The maximum number of characters of all labels, divided by the maximum number of labels. Common labels have about
     * 40.
     */
    public static final int CHARACTERS = 48;

    /**
     * {@return the block of these labels}
     *
     * @param most how many labels are read; if there are more, all are unread
     */
    static LabelBlock of(Labels labels, int most) {
        int characters = 0;
        for (int i = 0; i < labels.size(); i++) {
            characters += labels.key(i).length() + labels.value(i).length();
        }
        Optional<String> tooMany = labels.size() > most
                ? Optional.of(tooMany(labels.size(), most, "labels"))
                : characters > CHARACTERS * most
                        ? Optional.of(tooMany(characters, CHARACTERS * most, "characters in its labels"))
                        : Optional.empty();
        return new LabelBlock(
                tooMany.isEmpty() ? labels : Labels.unread(),
                labels.get(HOSTNAME).map(name -> Labels.of(HOSTNAME, name)).orElse(Labels.none()),
                ApiConstants.gangMember(labels),
                tooMany);
    }

    /** {@return a part of a sentence: {@code it has 20,000 labels, and Holdfast reads at most 64}} */
    public static String tooMany(int count, int most, String what) {
        return String.format(Locale.ROOT, "it has %,d %s, and Holdfast reads at most %,d", count, what, most);
    }
}
