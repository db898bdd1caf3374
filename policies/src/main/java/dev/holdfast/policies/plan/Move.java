package dev.holdfast.policies.plan;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * One eviction from the decision to the end of its consequences.
 *
 * @param id the plan id, the same in request, events and log
 * @param target a node that would take the replacement; absent where the policy evicts without one
 * @param attempts how often the pod was read for it
 */
public record Move(
        String id,
        Pod victim,
        Rule rule,
        RuleIdentity identity,
        Optional<Workload> workload,
        Scope scope,
        Optional<String> target,
        int attempts,
        Stage stage) {
    /** How far a move has come. */
    public sealed interface Stage {
        /** Pod, node and partners are being read. */
        record Confirming(Instant since) implements Stage {}

        /**
         * The request has been handed over. The cluster may act on it before its answer is here.
         *
         * @param siblings UIDs of the workload's pods right before; none of them is the replacement
         */
        record Requested(Instant since, Set<String> siblings) implements Stage {
            public Requested {
                siblings = Set.copyOf(siblings);
            }
        }

        /** No answer came; the pod is watched. */
        record Unknown(Instant since, Set<String> siblings) implements Stage {
            public Unknown {
                siblings = Set.copyOf(siblings);
            }
        }

        /** The pod is going; its replacement is awaited. */
        record Evicted(Instant at, Set<String> siblings) implements Stage {
            public Evicted {
                siblings = Set.copyOf(siblings);
            }
        }

        /** A replacement is bound and not yet ready. */
        record Landed(Instant evictedAt, Set<String> siblings, String replacementUid, String node) implements Stage {
            public Landed {
                siblings = Set.copyOf(siblings);
            }
        }
    }

    /** {@return the node the victim was on} */
    public String fromNode() {
        return victim.nodeName().orElseThrow();
    }

    /** {@return the same move, further on} */
    public Move at(Stage next) {
        return new Move(id, victim, rule, identity, workload, scope, target, attempts, next);
    }

    /** {@return the same move, the pod to be read once more} */
    public Move again(Instant now) {
        return new Move(id, victim, rule, identity, workload, scope, target, attempts + 1, new Stage.Confirming(now));
    }
}
