package dev.holdfast.operator.translate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks the names of the entries of a list: rules, windows and exceptions. */
final class Names {
    private Names() {}

    /** Records an error for each name that is no DNS label, or that an earlier entry has too. */
    static void check(List<String> names, FieldPath list) {
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            FieldPath at = list.item(i).field("name");
            if (!DnsLabel.is(name)) {
                at.refuse("must be " + DnsLabel.ALLOWED + ", got '" + name + "'");
            }
            Integer earlier = places.putIfAbsent(name, i);
            if (earlier != null) {
                at.refuse("must be unique, but '" + name + "' is the name of " + list + "[" + earlier + "] too");
            }
        }
    }
}
