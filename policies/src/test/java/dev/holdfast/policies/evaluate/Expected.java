package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.ClusterView;
import java.util.Optional;
import java.util.stream.Stream;

/** The expected verdict of a test row. It is computed from the row's cluster, whose pods it may contain. */
@FunctionalInterface
interface Expected {
    Verdict in(ClusterView view);

    static Expected satisfied() {
        return _ -> Verdict.satisfied();
    }

    static Expected violated(ViolationDetail violationDetail) {
        return _ -> Verdict.violated(violationDetail);
    }

    /** {@return an anti-affinity violation: the pod shares its domain with these pods, in this order} */
    static Expected sharing(String topologyKey, String domain, String... uids) {
        return view -> Verdict.violated(new ViolationDetail.Conflict(
                topologyKey,
                domain,
                Stream.of(uids).map(uid -> view.pod(uid).orElseThrow()).toList()));
    }

    static Expected undetermined(Reason reason, String detail) {
        return _ -> new Verdict.Undetermined(reason, detail);
    }

    /** {@return the violation as the index reports it; absent if the verdict is satisfied or undetermined} */
    static Optional<ViolationDetail> breachOf(Verdict verdict) {
        return verdict instanceof Verdict.Violated(ViolationDetail violationDetail)
                ? Optional.of(violationDetail)
                : Optional.empty();
    }
}
