package dev.holdfast.policies.rule;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The hash of a rule's content, before matchLabelKeys are merged into selectors. Rules with equal content have equal
 * identities. A rule with changed content has another identity, so its violations get new clocks. The order of terms,
 * expressions and values has no effect.
 *
 * @param hash 16 hexadecimal digits; the same in every run of the operator
 */
public record RuleIdentity(String hash) implements Comparable<RuleIdentity> {
    private static final int BYTES = 8;

    static RuleIdentity of(Rule rule) {
        byte[] digest = sha256().digest(rule.canonicalText().getBytes(StandardCharsets.UTF_8));
        return new RuleIdentity(HexFormat.of().formatHex(digest, 0, BYTES));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    @Override
    public int compareTo(RuleIdentity other) {
        return hash.compareTo(other.hash);
    }

    @Override
    public String toString() {
        return hash;
    }
}
