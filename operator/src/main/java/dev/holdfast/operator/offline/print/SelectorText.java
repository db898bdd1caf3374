package dev.holdfast.operator.offline.print;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A label selector as kubectl takes it with {@code -l}: {@code app=web,tier!=test,zone in (a,b),!canary}. Source:
 * {@code labels.Parse} of apimachinery, without {@code <} and {@code >}.
 */
public final class SelectorText {
    private static final Pattern PART = Pattern.compile("\\s*(?:(?<absent>!)\\s*(?<missing>[^\\s!=,()]+)"
            + "|(?<set>[^\\s!=,()]+)\\s+(?<operator>in|notin)\\s*\\((?<values>[^()]*)\\)"
            + "|(?<key>[^\\s!=,()]+)\\s*(?:(?<relation>==|=|!=)\\s*(?<value>[^\\s!=,()]*))?)\\s*(?:,|$)");

    private SelectorText() {}

    /** {@return the parsed selector, or why the text is none; an empty text selects everything} */
    public static ParseResult<LabelMatcher> parse(String text) {
        List<Requirement> requirements = new ArrayList<>();
        Matcher part = PART.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!part.find(at) || part.start() != at || part.end() == at) {
                return new ParseResult.Unusable<>("cannot read '" + text.substring(at)
                        + "': write key=value, key!=value, key in (a,b), key notin (a,b), key or !key, with"
                        + " commas between");
            }
            requirements.add(requirement(part));
            at = part.end();
        }
        return LabelMatcher.of(Optional.of(new LabelSelector(Labels.none(), requirements)));
    }

    private static Requirement requirement(Matcher part) {
        if (part.group("absent") != null) {
            return new Requirement(part.group("missing"), "DoesNotExist", List.of());
        }
        if (part.group("operator") != null) {
            List<String> values = Arrays.stream(part.group("values").split(","))
                    .map(String::strip)
                    .toList();
            return new Requirement(part.group("set"), part.group("operator").equals("in") ? "In" : "NotIn", values);
        }
        if (part.group("relation") == null) {
            return new Requirement(part.group("key"), "Exists", List.of());
        }
        String operator = part.group("relation").equals("!=") ? "NotIn" : "In";
        return new Requirement(part.group("key"), operator, List.of(part.group("value")));
    }
}
