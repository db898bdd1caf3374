package dev.holdfast.operator.decode.meta;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.Collection;
import java.util.Optional;

/**
 * Counts the parts of an object that take memory, and time in each evaluation, to compare them with a limit.
 *
 * <p>Example: the node selector term {@code disk In [ssd, nvme]} has 4 parts (the term, its expression, two values) and
 * 11 characters.
 */
public final class PartCount {
    private int parts;
    private int characters;

    public int parts() {
        return parts;
    }

    public int characters() {
        return characters;
    }

    /** {@return whether there are more parts or more characters} */
    public boolean exceeds(int mostParts, int mostCharacters) {
        return parts > mostParts || characters > mostCharacters;
    }

    public void add(String text) {
        parts++;
        characters += text.length();
    }

    public void add(Collection<String> texts) {
        texts.forEach(this::add);
    }

    public void add(Labels labels) {
        for (int i = 0; i < labels.size(); i++) {
            add(labels.key(i));
            characters += labels.value(i).length();
        }
    }

    public void add(Optional<LabelSelector> selector) {
        if (selector.isPresent()) {
            add(selector.get().matchLabels());
            selector.get().matchExpressions().forEach(this::add);
        }
    }

    public void add(NodeSelectorTerm term) {
        parts++;
        term.matchExpressions().forEach(this::add);
        term.matchFields().forEach(this::add);
    }

    public void add(PodAffinityTerm term) {
        add(term.topologyKey());
        add(term.labelSelector());
        add(term.namespaces());
        add(term.namespaceSelector());
        add(term.matchLabelKeys());
        add(term.mismatchLabelKeys());
    }

    public void add(TopologySpreadConstraint constraint) {
        add(constraint.topologyKey());
        add(constraint.labelSelector());
        add(constraint.matchLabelKeys());
    }

    public void add(Toleration toleration) {
        add(toleration.key());
        characters += toleration.value().length();
    }

    public void add(Taint taint) {
        add(taint.key());
        characters += taint.value().length();
    }

    private void add(Requirement requirement) {
        add(requirement.key());
        add(requirement.values());
    }
}
