package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the policies that select the pods of each label variant (pods with equal labels), after one policy changed. */
final class PolicyReselection {
    private final PolicyId changed;
    private final Optional<Policy> now;

    /**
     * The policies that selected the pods of the previous call of {@link #of}, before the change; {@link #after} was
     * computed from them. The next call is often for pods with the same policies, and can then return {@link #after}
     * again.
     */
    private List<Policy> before = List.of();

    private boolean selected;
    private List<Policy> after = List.of();

    /**
     * @param changed the id of the policy that changed
     * @param now the policy after the change; absent when it was deleted
     */
    PolicyReselection(PolicyId changed, Optional<Policy> now) {
        this.changed = changed;
        this.now = now.map(Policy::withoutGeneration);
    }

    /**
     * {@return the policies that select pods with these labels after the change, sorted by id; empty if they are the
     * same as before}
     */
    Optional<List<Policy>> of(LabelVariant labelVariant) {
        Optional<Policy> known = known(labelVariant.policies());
        boolean selects = now.isPresent() && labelVariant.isSelectedBy(now.get());
        if (selects ? known.equals(now) : known.isEmpty()) {
            return Optional.empty();
        }
        if (selected != selects || !before.equals(labelVariant.policies())) {
            before = labelVariant.policies();
            selected = selects;
            after = list(known, selects);
        }
        return Optional.of(after);
    }

    private Optional<Policy> known(List<Policy> policies) {
        for (int i = 0; i < policies.size(); i++) {
            if (policies.get(i).id().equals(changed)) {
                return Optional.of(policies.get(i));
            }
        }
        return Optional.empty();
    }

    private List<Policy> list(Optional<Policy> known, boolean selects) {
        List<Policy> list = new ArrayList<>(before);
        known.ifPresent(list::remove);
        if (selects) {
            list.add(now.orElseThrow());
        }
        list.sort(Comparator.comparing(Policy::id));
        return List.copyOf(list);
    }
}
