package dev.holdfast.operator.offline.explain;

import dev.holdfast.policies.plan.move.Outcome;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the message of one of the operator's events about a pod names. A part is empty if the message does not name it.
 *
 * @param toNode the node of the replacement; of a request, a node that would take it
 * @param result the outcome of a move, or the reason of a hold
 */
record EventParts(String policy, String rule, String fromNode, String toNode, String result) {
    private static final Pattern POLICY = Pattern.compile(".*; policy (\\S+?)(?: \\(Audit\\))?\\.$");
    private static final Pattern RULE = Pattern.compile("(?:Rule|.*?\\brule) ([^\\s;]+).*");

    /** The words of a user may stand before the rule of a hold, so the last one counts. */
    private static final Pattern RULE_OF_HOLD = Pattern.compile(".*; rule (\\S+) \\(.*");

    private static final Pattern FROM = Pattern.compile(
            "(?:Would evict.*?|Evicting|Evicted|Not evicting|Would not evict|Moved|Moving|The pod evicted)"
                    + " from ([^\\s:]+).*");
    private static final Pattern TO =
            Pattern.compile("(?:(?:Moved|Moving) from \\S+ to (?<moved>\\S+)|.*; (?<would>\\S+) would take the pod).*");
    private static final Pattern HOLD = Pattern.compile("(?:Not evicting|Would not evict) from \\S+ \\((\\w+)\\).*");
    private static final Pattern DID_NOT_HELP = Pattern.compile("Moving from .* did not help: .*");

    /** {@return what a message names} */
    static EventParts of(String message) {
        Matcher hold = HOLD.matcher(message);
        boolean held = hold.matches();
        Matcher to = TO.matcher(message);
        String node = !to.matches() ? "" : to.group("moved") == null ? to.group("would") : to.group("moved");
        String policy = part(POLICY, message);
        return new EventParts(
                policy,
                policy.isEmpty() ? "" : part(held ? RULE_OF_HOLD : RULE, message),
                part(FROM, message),
                node,
                held ? hold.group(1) : outcome(message));
    }

    private static String outcome(String message) {
        if (message.startsWith("Moved from ")) {
            return Outcome.MOVED.label();
        }
        if (DID_NOT_HELP.matcher(message).matches()) {
            return Outcome.NOT_READY.label();
        }
        return message.startsWith("The pod evicted from ") ? Outcome.GONE.label() : "";
    }

    private static String part(Pattern pattern, String message) {
        Matcher found = pattern.matcher(message);
        return found.matches() ? found.group(1) : "";
    }
}
