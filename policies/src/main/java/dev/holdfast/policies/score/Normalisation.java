package dev.holdfast.policies.score;

import java.util.List;

/**
 * Turns raw values into scores by their share of the greatest one. Source: {@code helper.DefaultNormalizeScore} of the
 * scheduler.
 */
final class Normalisation {
    static final long GREATEST_SCORE = 100;

    private Normalisation() {}

    /** {@return the shares of the greatest value, in percent; all 0 if that is 0} */
    static List<Long> shares(List<Long> raw) {
        long greatest = raw.stream().mapToLong(Long::longValue).max().orElse(0);
        return raw.stream()
                .map(it -> greatest == 0 ? 0 : GREATEST_SCORE * it / greatest)
                .toList();
    }

    /** {@return what each share leaves of 100} */
    static List<Long> reversedShares(List<Long> raw) {
        return shares(raw).stream().map(it -> GREATEST_SCORE - it).toList();
    }
}
