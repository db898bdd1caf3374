package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Pod;
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
 * @param policy the policy that it is made for
 * @param rule the broken rule before matchLabelKeys are merged, because the replacement may have other labels
 * @param target a node that would take the replacement; absent if the policy evicts without one
 * @param attempts how often the pod was read for it; 0 while it is only planned
 */
public record Move(
        String id,
        ViolationKey key,
        PolicyId policy,
        Pod victim,
        Rule rule,
        Optional<Workload> workload,
        Scope scope,
        Optional<String> target,
        int attempts,
        Stage stage) {
    /** How long the other pods of a scope wait for a replacement without a node. */
    private static final Duration UNBOUND = Duration.ofMinutes(2);

    /** {@return whether it is only planned; the move of an audited victim stays so} */
    public boolean promised() {
        return attempts == 0;
    }

    /** The stage of a move. */
    public sealed interface Stage {
        /** A stage after the real eviction request was handed to the sender. */
        sealed interface Sent extends Stage {
            /** {@return UIDs of the workload's pods just before the request; none of them is the replacement} */
            Set<String> siblings();
        }

        /** The pod, its node and its partners are being read. */
        record Confirming(Instant since) implements Stage {}

        /**
         * The dry run of the request has been handed to the sender.
         *
         * @param version the pod's resourceVersion as it was read
         */
        record Rehearsing(Instant since, long version) implements Stage {}

        /**
         * The real request has been handed to the sender. The API server may carry it out before its response arrives.
         *
         * @param siblings UIDs of the workload's pods just before; none of them is the replacement
         */
        record Requested(Instant since, Set<String> siblings) implements Sent {
            public Requested {
                siblings = Set.copyOf(siblings);
            }
        }

        /** The request got no conclusive response; the pod is watched. */
        record Unknown(Instant since, Set<String> siblings) implements Sent {
            public Unknown {
                siblings = Set.copyOf(siblings);
            }
        }

        /** The pod is terminating or gone, and has no bound replacement yet. */
        record Evicted(Instant at, Set<String> siblings) implements Sent {
            public Evicted {
                siblings = Set.copyOf(siblings);
            }
        }

        /** A replacement is bound and not Ready yet. */
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

    /** {@return whether the victim is the rule owner, and not a substitute victim} */
    public boolean isOfOwner() {
        return victim.uid().equals(key.podUid());
    }

    /** {@return whether the real eviction has been requested} */
    public boolean requested() {
        return stage instanceof Stage.Sent;
    }

    /** {@return whether the eviction is not confirmed yet: such a move may still count as an eviction} */
    boolean pending() {
        return switch (stage) {
            case Stage.Confirming _, Stage.Rehearsing _, Stage.Requested _, Stage.Unknown _ -> true;
            case Stage.Evicted _, Stage.Landed _ -> false;
        };
    }

    /**
     * {@return until when no other pod in its scope moves, if no event arrives} Once the replacement is bound, the rule
     * can be evaluated again. The move counts against the limits even after that.
     */
    public Instant holdsScopeUntil() {
        return switch (stage) {
            case Stage.Confirming _, Stage.Rehearsing _, Stage.Requested _, Stage.Unknown _ -> Instant.MAX;
            case Stage.Evicted(Instant at, var _) -> at.plus(UNBOUND);
            case Stage.Landed _ -> Instant.MIN;
        };
    }

    /** {@return whether the pod is its victim, or its replacement that is not Ready yet} */
    boolean concerns(String podUid) {
        return victim.uid().equals(podUid)
                || (stage instanceof Stage.Landed landed
                        && landed.replacementUid().equals(podUid));
    }

    /** {@return the same move at another stage} */
    public Move at(Stage next) {
        return new Move(id, key, policy, victim, rule, workload, scope, target, attempts, next);
    }

    /** {@return the same move with another target node, or none} */
    public Move toward(Optional<String> node) {
        return new Move(id, key, policy, victim, rule, workload, scope, node, attempts, stage);
    }

    /** {@return the same move, with one more read of the pod begun} */
    public Move again(Instant now) {
        return new Move(
                id, key, policy, victim, rule, workload, scope, target, attempts + 1, new Stage.Confirming(now));
    }
}
