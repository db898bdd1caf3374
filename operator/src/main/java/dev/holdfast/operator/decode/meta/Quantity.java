package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;

/**
 * Parser of Kubernetes quantities: {@code 1500m}, {@code 1.5Gi}, {@code 2e3}. The value is rounded away from zero to a
 * multiple of one billionth. A value above 2^63-1 counts as 2^63-1, because the scheduler's own sums overflow there.
 *
 * <p>A user who may create pods may write any number of digits and any exponent. So the time for parsing must be linear
 * in the length of the text.
 *
 * @see <a href="https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/">Quantity</a>
 */
final class Quantity {
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final int FINEST = 9;

    /**
     * The maximum number of digits that are kept. The rest is dropped; if one of the dropped digits is not zero, a 1
     * takes their place. So the value is still rounded away from zero.
     */
    private static final int MOST_DIGITS = 40;

    private static final Map<String, Integer> DECIMAL =
            Map.of("", 0, "n", -9, "u", -6, "m", -3, "k", 3, "M", 6, "G", 9, "T", 12, "P", 15, "E", 18);
    private static final Map<String, Integer> BINARY =
            Map.of("Ki", 10, "Mi", 20, "Gi", 30, "Ti", 40, "Pi", 50, "Ei", 60);

    /** The longest accepted suffix, in characters. The longest valid suffix is an exponent of 64 bits. */
    private static final int LONGEST_SUFFIX = 64;

    private final ByteSlice text;
    private int at;
    private final StringBuilder digits = new StringBuilder();

    /**
     * The power of ten by which the kept digits are multiplied: -1 for {@code 1.5}, whose digits are 15; 3 for {@code
     * 2k}.
     */
    private long places;

    private boolean moreDigits;

    private Quantity(ByteSlice text) {
        this.text = text;
        this.at = text.from();
    }

    /**
     * {@return the value of the quantity, for example 1.5 for {@code 1500m}; zero for an empty text}
     *
     * @throws MalformedException if an API server would reject the text
     */
    static BigDecimal of(ByteSlice text) throws MalformedException {
        return new Quantity(text).read();
    }

    private BigDecimal read() throws MalformedException {
        boolean negative = has('-');
        at += negative || has('+') ? 1 : 0;
        digits(0);
        if (has('.')) {
            at++;
            digits(-1);
        }
        BigDecimal size = size();
        return negative ? size.negate() : size;
    }

    private boolean has(char wanted) {
        return at < text.to() && text.buffer()[at] == wanted;
    }

    /**
     * Reads the digits up to the next other character.
     *
     * @param step what each kept digit adds to {@link #places}: 0 before the decimal point, -1 after it
     */
    private void digits(int step) {
        for (; at < text.to() && text.buffer()[at] >= '0' && text.buffer()[at] <= '9'; at++) {
            char digit = (char) text.buffer()[at];
            if (digits.length() == MOST_DIGITS) {
                moreDigits |= digit != '0';
                places += step + 1;
            } else {
                places += step;
                if (digit != '0' || !digits.isEmpty()) {
                    digits.append(digit);
                }
            }
        }
    }

    private BigDecimal size() throws MalformedException {
        if (text.to() - at > LONGEST_SUFFIX) {
            throw wrong();
        }
        String suffix = new ByteSlice(text.buffer(), at, text.to(), 0).text();
        Integer binary = BINARY.get(suffix);
        if (binary == null) {
            places += exponent(suffix);
        }
        if (digits.isEmpty()) {
            return BigDecimal.ZERO;
        }
        if (digits.length() + places > MOST_DIGITS) {
            return LARGEST;
        }
        if (digits.length() + places < -MOST_DIGITS) {
            return BigDecimal.ONE.movePointLeft(FINEST);
        }
        if (moreDigits) {
            digits.append('1');
            places--;
        }
        BigDecimal number = new BigDecimal(new BigInteger(digits.toString()), (int) -places);
        BigDecimal whole = binary == null ? number : number.multiply(new BigDecimal(BigInteger.ONE.shiftLeft(binary)));
        return whole.setScale(FINEST, RoundingMode.UP).min(LARGEST).stripTrailingZeros();
    }

    private int exponent(String suffix) throws MalformedException {
        Integer known = DECIMAL.get(suffix);
        if (known != null) {
            return known;
        }
        if (!suffix.matches("[eE][-+]?[0-9]+")) {
            throw wrong();
        }
        try {
            // An API server accepts an exponent of 64 bits and uses its lower 32.
            return (int) Long.parseLong(suffix.substring(1));
        } catch (NumberFormatException _) {
            throw wrong();
        }
    }

    private MalformedException wrong() {
        return new MalformedException(text.offset(), "\"" + text.beginning() + "\" is not a quantity");
    }
}
