package dev.holdfast.operator.offline.check;

import dev.holdfast.operator.offline.print.Table;
import java.util.Comparator;
import java.util.List;

/**
 * The pods that violate a rule and that an exception of a policy names.
 *
 * @param policy NAMESPACE/NAME, or NAME of a ClusterPlacementPolicy
 * @param name the name of the exception in its policy
 * @param reason the reason that the user gave
 * @param expirationTime when the exception ends; empty if it never does
 * @param pods how many of the listed pods that violate a rule of the policy it names
 */
public record ExceptedPods(String policy, String name, String reason, String expirationTime, int pods) {
    static final Comparator<ExceptedPods> ORDER =
            Comparator.comparing(ExceptedPods::policy).thenComparing(ExceptedPods::name);

    ExceptedPods with(int number) {
        return new ExceptedPods(policy, name, reason, expirationTime, number);
    }

    /** {@return the exceptions as a table, a row each} */
    public static Table table(List<ExceptedPods> exceptions) {
        Table table = new Table("EXCEPTION", "POLICY", "PODS", "UNTIL", "REASON");
        exceptions.forEach(it -> table.row(
                it.name,
                it.policy,
                Integer.toString(it.pods),
                it.expirationTime.isEmpty() ? "<none>" : it.expirationTime,
                it.reason));
        return table;
    }
}
