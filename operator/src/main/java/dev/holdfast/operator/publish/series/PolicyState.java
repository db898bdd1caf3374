package dev.holdfast.operator.publish.series;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.rule.PolicyId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The state of one policy for the metrics: its counters, the latest report, and whether it is ready. Changes of the
 * rules take a lock of this policy alone; scrapes take none.
 */
final class PolicyState {
    private final PolicyId policy;
    private final PolicyCounters counters;
    private final SeriesBudget ruleBudget;
    private final long taken;

    /** The rules of the latest report. A rule that broke and is in no report yet is not among them. */
    @GuardedBy("this")
    private Set<String> reported = Set.of();

    @GuardedBy("this")
    private boolean gone;

    private volatile boolean measured;
    private volatile Optional<PolicyReport> report = Optional.empty();
    private volatile Optional<Boolean> ready = Optional.empty();

    /**
     * The state of a policy without report.
     *
     * @param counters the policy's own counters, or those of all policies without series of their own
     * @param taken what the policy's own series took from their budget, in bytes; 0 if it has none
     */
    PolicyState(PolicyId policy, PolicyCounters counters, SeriesBudget ruleBudget, long taken) {
        this.policy = policy;
        this.counters = counters;
        this.ruleBudget = ruleBudget;
        this.taken = taken;
    }

    PolicyId policy() {
        return policy;
    }

    PolicyCounters counters() {
        return counters;
    }

    /** {@return the counters, in which the caller counts something} */
    PolicyCounters counting() {
        measured = true;
        return counters;
    }

    /** {@return whether there was a report or something to count} Otherwise the policy has no counters yet. */
    boolean isMeasured() {
        return measured;
    }

    /** {@return whether the policy has series of its own} */
    boolean own() {
        return policy.isOfCluster() || taken > 0;
    }

    long taken() {
        return taken;
    }

    Optional<PolicyReport> report() {
        return report;
    }

    Optional<Boolean> ready() {
        return ready;
    }

    void ready(boolean isReady) {
        ready = Optional.of(isReady);
    }

    /**
     * Stores the report. Creates the series of new rules, and removes those of rules that only an earlier report has.
     */
    void report(PolicyReport latest) {
        rulesChanged(latest.rules());
        measured = true;
        report = Optional.of(latest);
    }

    private synchronized void rulesChanged(Set<String> rules) {
        // After the end nothing is taken, and a rule that was given back must not be given back again.
        if (gone || rules.equals(reported)) {
            return;
        }
        for (String rule : reported) {
            if (!rules.contains(rule)) {
                remove(rule);
            }
        }
        rules.forEach(rule -> counters.addRule(name(rule)));
        reported = rules;
    }

    void started(String rule) {
        counting().started(name(rule));
    }

    /** {@return the value of the label {@code rule}: the name of the rule if there is room for its series} */
    private synchronized String name(String rule) {
        if (!own() || gone) {
            return SeriesLabels.OTHERS;
        }
        if (counters.hasRule(rule)) {
            return rule;
        }
        if (!policy.isOfCluster() && !ruleBudget.take(namespace(), bytes(rule))) {
            return SeriesLabels.OTHERS;
        }
        counters.addRule(rule);
        return rule;
    }

    @GuardedBy("this")
    private void remove(String rule) {
        if (own() && counters.hasRule(rule)) {
            counters.removeRule(rule);
            release(rule);
        }
    }

    /** Gives back what the series of the rules took from their budget. From now on, no rule takes anything. */
    synchronized void end() {
        gone = true;
        if (own()) {
            List<String> rules = new ArrayList<>(counters.rules());
            rules.forEach(this::release);
        }
    }

    private void release(String rule) {
        if (!policy.isOfCluster() && !rule.equals(SeriesLabels.OTHERS)) {
            ruleBudget.release(namespace(), bytes(rule));
        }
    }

    private long bytes(String rule) {
        return counters.labels().bytesOfRule(rule);
    }

    private String namespace() {
        return policy.namespace().orElse("");
    }
}
