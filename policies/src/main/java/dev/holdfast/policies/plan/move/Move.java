package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A move: one eviction, from the decision to the outcome of its replacement.
 *
 * @param id the plan ID, the same in requests, events and log
 * @param key the violation that the move shall heal
 * @param policy the policy that the pod is moved for
 * @param victim the pod to evict, as it was when the move was planned
 * @param rule the broken rule before matchLabelKeys are merged, because the replacement may have other labels; absent
 *     if the move was begun by an earlier process of the operator, which remembered only the identity
 * @param nodeKeys the keys of the node labels that the rule depends on
 * @param workload the topmost controller of the victim; absent for a bare pod
 * @param scope the pods whose verdicts the move may change
 * @param target a node that would take the replacement; absent if the policy evicts without such a node
 * @param enforced the rules that policies enforced on the victim when its eviction was planned or, later, requested
 * @param attempts how often the pod was read from the API server for this move; 0 while the move is only planned
 * @param stage how far the move has come
 */
public record Move(
        String id,
        ViolationKey key,
        PolicyId policy,
        Pod victim,
        Optional<Rule> rule,
        Set<String> nodeKeys,
        Optional<Workload> workload,
        Scope scope,
        Optional<String> target,
        EnforcedRules enforced,
        int attempts,
        Stage stage) {
    public Move {
        nodeKeys = Set.copyOf(nodeKeys);
    }

    /**
     * After an eviction, no other pod of the scope moves until the replacement is bound to a node. If the replacement
     * stays unbound, the wait ends after this time.
     */
    private static final Duration UNBOUND = Duration.ofMinutes(2);

    /** {@return whether the move is only planned; a move in mode Audit never gets further} */
    public boolean promised() {
        return attempts == 0;
    }

    /** How far a move has come, from its announcement to a replacement that is not Ready yet. */
    public sealed interface Stage {
        /** The real eviction request was handed over for sending, so the pod may be evicted. */
        sealed interface Sent extends Stage {
            /**
             * {@return UIDs of the workload's pods just before the eviction request; none of these pods is the
             * replacement}
             */
            Set<String> siblings();
        }

        /**
         * The move is being written to the ledger, so that the next process of the operator knows it whatever happens
         * to this one.
         *
         * @param revision the revision of the ledger that has the move
         */
        record Recording(Instant since, long revision) implements Stage {}

        /** The pod, its node and its partners are being read from the API server, or the move is only planned. */
        record Confirming(Instant since) implements Stage {}

        /**
         * A dry run of the eviction request was handed over for sending, and its result is not known yet.
         *
         * @param version the pod's resourceVersion as it was read
         */
        record DryRunning(Instant since, long version) implements Stage {}

        /**
         * The real eviction request was handed over for sending. The API server may evict the pod before its response
         * arrives.
         *
         * @param siblings UIDs of the workload's pods just before the request; none of these pods is the replacement
         */
        record Requested(Instant since, Set<String> siblings) implements Sent {
            public Requested {
                siblings = Set.copyOf(siblings);
            }
        }

        /**
         * The eviction request got no conclusive response. The operator watches the pod to find out whether it was
         * evicted.
         */
        record Unknown(Instant since, Set<String> siblings) implements Sent {
            public Unknown {
                siblings = Set.copyOf(siblings);
            }
        }

        /** The pod is terminating or gone, and no replacement is bound to a node yet. */
        record Evicted(Instant at, Set<String> siblings) implements Sent {
            public Evicted {
                siblings = Set.copyOf(siblings);
            }
        }

        /** A replacement is bound to a node, and not Ready yet. */
        record Landed(Instant evictedAt, Set<String> siblings, String replacementUid, String node) implements Sent {
            public Landed {
                siblings = Set.copyOf(siblings);
            }
        }
    }

    /** {@return the node the victim was on} */
    public String fromNode() {
        return victim.nodeName().orElseThrow();
    }

    /** {@return whether the victim is the rule owner; false if a pod in the owner's way is evicted instead} */
    public boolean isOfOwner() {
        return victim.uid().equals(key.podUid());
    }

    /**
     * {@return whether the replacement should become Ready, so that a failure says something about the cluster} A Ready
     * replacement is not expected if the plan had no node for it, if the victim itself was not Ready, or if the pod
     * runs to completion, because a Job may make no further pod.
     */
    public boolean expectsReadyReplacement() {
        return target.isPresent()
                && victim.ready()
                && victim.victimProtection().restartPolicy() == RestartPolicy.ALWAYS;
    }

    /** {@return whether the real eviction has been requested} */
    public boolean requested() {
        return stage instanceof Stage.Sent;
    }

    /**
     * {@return whether the eviction is not confirmed yet; hourly limits count such a move as an eviction nevertheless}
     */
    public boolean pending() {
        return switch (stage) {
            case Stage.Recording _, Stage.Confirming _, Stage.DryRunning _, Stage.Requested _, Stage.Unknown _ -> true;
            case Stage.Evicted _, Stage.Landed _ -> false;
        };
    }

    /**
     * {@return until when this move keeps other pods of its scope from moving} The result is {@link Instant#MAX} until
     * the eviction is confirmed, and then two minutes after the eviction. Once the replacement is bound, the result is
     * {@link Instant#MIN}, because the rule can be evaluated again. The move counts against the limits even after that.
     */
    public Instant holdsScopeUntil() {
        return switch (stage) {
            case Stage.Recording _, Stage.Confirming _, Stage.DryRunning _, Stage.Requested _, Stage.Unknown _ ->
                Instant.MAX;
            case Stage.Evicted(Instant at, var _) -> at.plus(UNBOUND);
            case Stage.Landed _ -> Instant.MIN;
        };
    }

    /** {@return whether the pod is the victim of this move, or its replacement that is bound and not Ready yet} */
    public boolean concerns(String podUid) {
        return victim.uid().equals(podUid)
                || (stage instanceof Stage.Landed landed
                        && landed.replacementUid().equals(podUid));
    }

    /** {@return the same move at another stage} */
    public Move at(Stage next) {
        return new Move(id, key, policy, victim, rule, nodeKeys, workload, scope, target, enforced, attempts, next);
    }

    /** {@return the same move with another target node; empty if no node is known that would take the replacement} */
    public Move toward(Optional<String> node) {
        return new Move(id, key, policy, victim, rule, nodeKeys, workload, scope, node, enforced, attempts, stage);
    }

    /** {@return the same move with the rules that policies enforce on the victim now} */
    public Move enforcing(EnforcedRules rules) {
        return new Move(id, key, policy, victim, rule, nodeKeys, workload, scope, target, rules, attempts, stage);
    }

    /** {@return the same move at its next attempt, which begins with reading the pod from the API server again} */
    public Move again(Instant now) {
        return new Move(
                id,
                key,
                policy,
                victim,
                rule,
                nodeKeys,
                workload,
                scope,
                target,
                enforced,
                attempts + 1,
                new Stage.Confirming(now));
    }
}
