package dev.holdfast.it.bench.report;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** The unit of a figure, and the format of its values. */
public enum Unit {
    COUNT(""),
    TIMES("x"),
    PERCENT(" %"),
    BYTES(" B"),
    MEBIBYTES(" MiB"),
    MICROSECONDS(" us"),
    MILLISECONDS(" ms"),
    SECONDS(" s");

    private static final double THOUSAND = 1_000;

    private final String suffix;

    Unit(String suffix) {
        this.suffix = suffix;
    }

    /**
     * {@return the value with its unit, rounded to about three digits} 1,000 microseconds or more are printed in
     * milliseconds.
     */
    public String print(double value) {
        return this == MICROSECONDS && Math.abs(value) >= THOUSAND
                ? MILLISECONDS.print(value / THOUSAND)
                : number(value) + suffix;
    }

    private static String number(double value) {
        double size = Math.abs(value);
        String pattern = size < 10 ? "0.##" : size < 100 ? "0.#" : "#,##0";
        return new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT)).format(value);
    }
}
