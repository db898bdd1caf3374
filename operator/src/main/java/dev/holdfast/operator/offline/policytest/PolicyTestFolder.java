package dev.holdfast.operator.offline.policytest;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.operator.offline.simulate.SimulationInput;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A test folder, as it was read.
 *
 * @param name the folder as the user named it
 * @param story what the test is about; may be empty
 * @param start the time at the beginning, which maintenance windows depend on
 * @param end how long to simulate
 * @param steps in the order of time
 * @param policies those at the beginning, and those that steps create or edit
 * @param expectations in the order of time
 * @param unknownWords expectations in words that nothing can have, as sentences; a recording replaces them
 * @param warnings what may be wrong with the files, as sentences
 */
record PolicyTestFolder(
        String name,
        String story,
        OperatorConfig config,
        Instant start,
        Duration end,
        SimulationInput input,
        List<Step> steps,
        List<Policy> policies,
        List<Expectation> expectations,
        List<String> unknownWords,
        List<String> warnings) {
    PolicyTestFolder {
        steps = List.copyOf(steps);
        policies = List.copyOf(policies);
        expectations = List.copyOf(expectations);
        unknownWords = List.copyOf(unknownWords);
        warnings = List.copyOf(warnings);
    }

    /** {@return all versions of the policies, in the order of time} */
    List<Event.PolicyChanged> versions() {
        return Stream.concat(
                        input.policies().stream(),
                        steps.stream()
                                .flatMap(step -> step.changes().stream())
                                .flatMap(change -> change instanceof Change.PutPolicy(Event.PolicyChanged put)
                                        ? Stream.of(put)
                                        : Stream.empty()))
                .toList();
    }

    /** {@return what policies ask for at most about a violation that is expected and does not happen} */
    ViolationState gravest() {
        boolean enforced =
                config.maxMode() == Mode.ENFORCE && policies.stream().anyMatch(policy -> policy.mode() == Mode.ENFORCE);
        return enforced ? ViolationState.DUE : ViolationState.AUDITED;
    }

    /**
     * Changes at a time after the beginning.
     *
     * @param place where it is written, for messages: {@code steps[2]}
     */
    record Step(Duration at, String place, List<Change> changes) {
        Step {
            changes = List.copyOf(changes);
        }
    }

    /**
     * The expected entries at a time after the beginning: violations and holds of this moment, and all evictions until
     * then, in order. A list that is not given is not compared.
     */
    record Expectation(Duration at, Map<Entry.Subject, List<Entry>> lists) {
        Expectation {
            lists = Map.copyOf(lists);
        }
    }
}
