package dev.holdfast.operator.policytest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.operator.dump.DumpException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/** A number of pods, which is written as such or as a percentage: {@code 2} or {@code 25%}. */
final class Share {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}|[0-9]{1,3}%");
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    private Share() {}

    /**
     * Refuses what is no number and no percentage.
     *
     * @param place how messages name the object
     */
    static void require(String place, String field, JsonNode value) throws DumpException {
        if (!value.isMissingNode() && !NUMBER.matcher(value.asText()).matches()) {
            throw new DumpException(
                    place + ": `" + field + "` must be a number or a percentage, and is " + value.asText());
        }
    }

    /** {@return the number of pods} Example: 25% of 10 pods is 2 or 3, as it is rounded. */
    static int of(JsonNode value, int pods, RoundingMode rounding) {
        String text = value.asText();
        if (!text.endsWith("%")) {
            return value.asInt();
        }
        return new BigDecimal(text.substring(0, text.length() - 1))
                .multiply(BigDecimal.valueOf(pods))
                .divide(HUNDRED, 0, rounding)
                .intValue();
    }
}
