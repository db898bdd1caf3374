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
 * One eviction from the decision to the end of its consequences.
 *
 * @param id the plan id, the same in request, events and log
 * @param key the violation that it is to heal
 * @param policy for which it is made
 * @param rule the broken rule as it was asked for: the replacement may have other labels to merge into it
 * @param target a node that would take the replacement; absent where the policy evicts without one
 * @param attempts how often the pod was read for it; 0 as long as it is only promised
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
    /** For so long the others of a scope wait for a replacement that has no node. */
    private static final Duration UNBOUND = Duration.ofMinutes(2);

    /** {@return whether it is only in a plan that is being made; with an audited victim it stays there} */
    public boolean promised() {
        return attempts == 0;
    }

    /** How far a move has come. */
    public sealed interface Stage {
        /** A stage after the real eviction request was handed over. */
        sealed interface Sent extends Stage {
            /** {@return UIDs of the workload's pods right before the request; none of them is the replacement} */
            Set<String> siblings();
        }

        /** Pod, node and partners are being read. */
        record Confirming(Instant since) implements Stage {}

        /**
         * The request has been handed over as a dry run.
         *
         * @param version the pod's resourceVersion as it was read
         */
        record Rehearsing(Instant since, long version) implements Stage {}

        /**
         * The request has been handed over. The cluster may act on it before its answer is here.
         *
         * @param siblings UIDs of the workload's pods right before; none of them is the replacement
         */
        record Requested(Instant since, Set<String> siblings) implements Sent {
            public Requested {
                siblings = Set.copyOf(siblings);
            }
        }

        /** No answer came; the pod is watched. */
        record Unknown(Instant since, Set<String> siblings) implements Sent {
            public Unknown {
                siblings = Set.copyOf(siblings);
            }
        }

        /** The pod is going; its replacement is awaited. */
        record Evicted(Instant at, Set<String> siblings) implements Sent {
            public Evicted {
                siblings = Set.copyOf(siblings);
            }
        }

        /** A replacement is bound and not yet ready. */
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

    /** {@return whether the rule owner itself goes, and not one in its way} */
    public boolean isOfOwner() {
        return victim.uid().equals(key.podUid());
    }

    /** {@return whether the eviction has been asked for, dry runs left out} */
    public boolean requested() {
        return stage instanceof Stage.Sent;
    }

    /** {@return whether it is still open if the pod goes: such a move may yet count as an eviction} */
    boolean pending() {
        return switch (stage) {
            case Stage.Confirming _, Stage.Rehearsing _, Stage.Requested _, Stage.Unknown _ -> true;
            case Stage.Evicted _, Stage.Landed _ -> false;
        };
    }

    /**
     * {@return until when nothing else in its scope moves, if nothing happens: once the replacement is bound, the rule can
     * be judged again, and its place in the limits is kept beyond that}
     */
    public Instant holdsScopeUntil() {
        return switch (stage) {
            case Stage.Confirming _, Stage.Rehearsing _, Stage.Requested _, Stage.Unknown _ -> Instant.MAX;
            case Stage.Evicted(Instant at, var _) -> at.plus(UNBOUND);
            case Stage.Landed _ -> Instant.MIN;
        };
    }

    /** {@return whether the pod is its victim, or the replacement that may yet turn out to be in vain} */
    boolean concerns(String podUid) {
        return victim.uid().equals(podUid)
                || (stage instanceof Stage.Landed landed
                        && landed.replacementUid().equals(podUid));
    }

    /** {@return the same move, further on} */
    public Move at(Stage next) {
        return new Move(id, key, policy, victim, rule, workload, scope, target, attempts, next);
    }

    /** {@return the same move, with another place where its replacement could land, or none} */
    public Move toward(Optional<String> node) {
        return new Move(id, key, policy, victim, rule, workload, scope, node, attempts, stage);
    }

    /** {@return the same move, the pod to be read once more} */
    public Move again(Instant now) {
        return new Move(
                id, key, policy, victim, rule, workload, scope, target, attempts + 1, new Stage.Confirming(now));
    }
}
