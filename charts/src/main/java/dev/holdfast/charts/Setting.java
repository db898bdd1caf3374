package dev.holdfast.charts;

import java.util.ArrayList;
import java.util.List;

/**
 * One value that {@code --set} gives.
 *
 * @param key the path of the value: {@code config.protectedNamespaces[0]}
 * @param value as Helm's library takes it, without an escape of commas
 */
record Setting(String key, String value) {
    private static final String UNESCAPED_COMMA = "(?<!\\\\),";
    private static final String OUTSIDE_OF_LISTS = "(?![^{]*})";

    /**
     * {@return the values of one {@code --set} in their order} The syntax is Helm's: {@code a=1,b={x,y},c=d\,e} gives
     * {@code a=1}, {@code b[0]=x}, {@code b[1]=y} and {@code c=d,e}.
     *
     * @throws IllegalArgumentException if a key has no value, or an empty list as its value
     */
    static List<Setting> parse(String argument) {
        List<Setting> settings = new ArrayList<>();
        for (String assignment : argument.split(UNESCAPED_COMMA + OUTSIDE_OF_LISTS, -1)) {
            int equals = assignment.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException("--set takes KEY=VALUE, not '" + assignment + "'");
            }
            settings.addAll(assigned(assignment.substring(0, equals), assignment.substring(equals + 1)));
        }
        return settings;
    }

    private static List<Setting> assigned(String key, String value) {
        if (!value.startsWith("{") || !value.endsWith("}")) {
            return List.of(new Setting(key, unescaped(value)));
        }
        String items = value.substring(1, value.length() - 1);
        if (items.isEmpty()) {
            throw new IllegalArgumentException(
                    "--set gives no empty list to " + key + ": write it as [] in a file, for --values");
        }
        List<Setting> settings = new ArrayList<>();
        for (String item : items.split(UNESCAPED_COMMA, -1)) {
            settings.add(new Setting(key + "[" + settings.size() + "]", unescaped(item)));
        }
        return settings;
    }

    private static String unescaped(String value) {
        return value.replace("\\,", ",");
    }
}
