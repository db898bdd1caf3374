package dev.holdfast.policies.rule;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The identity of a rule's content, before matchLabelKeys are merged: equal content, equal identity; any change is a
 * new rule with a new clock. Order of terms within a set, of expressions and of values does not count.
 *
 * @param hash 16 hexadecimal digits, the same in every run and version that reads rules the same way
 */
public record RuleIdentity(String hash) implements Comparable<RuleIdentity> {
    private static final int BYTES = 8;

    static RuleIdentity of(Rule rule) {
        byte[] digest = sha256().digest(CanonicalText.text(rule).getBytes(StandardCharsets.UTF_8));
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
