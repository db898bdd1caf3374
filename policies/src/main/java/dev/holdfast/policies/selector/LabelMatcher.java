package dev.holdfast.policies.selector;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Requirement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A parsed label selector. Source: {@code metav1.LabelSelectorAsSelector}.
 *
 * <p>Example: {@code app=web, tier NotIn [batch]} matches {@code app=web} (an absent key satisfies NotIn) and not
 * {@code app=web,tier=batch}.
 */
public final class LabelMatcher {
    private static final LabelMatcher NOTHING = new LabelMatcher(List.of(), Kind.NOTHING);
    private static final LabelMatcher EVERYTHING = new LabelMatcher(List.of(), Kind.EVERYTHING);

    private enum Kind {
        NOTHING,
        EVERYTHING,
        SOME
    }

    private final List<LabelRequirement> requirements;
    private final Kind kind;

    private LabelMatcher(List<LabelRequirement> requirements, Kind kind) {
        this.requirements = requirements;
        this.kind = kind;
    }

    /** {@return the matcher of no object, which an absent selector means} */
    public static LabelMatcher nothing() {
        return NOTHING;
    }

    /** {@return the matcher of a selector; an absent one matches nothing, <code>{}</code> everything (PA-1)} */
    public static ParseResult<LabelMatcher> of(Optional<LabelSelector> selector) {
        if (selector.isEmpty()) {
            return new ParseResult.Usable<>(NOTHING);
        }
        if (selector.get().isEmpty()) {
            return new ParseResult.Usable<>(EVERYTHING);
        }
        List<LabelRequirement> requirements = new ArrayList<>();
        for (Requirement written : written(selector.get())) {
            switch (LabelRequirement.ofLabelSelector(written)) {
                case ParseResult.Usable<LabelRequirement>(LabelRequirement requirement) ->
                    requirements.add(requirement);
                case ParseResult.Unusable<LabelRequirement>(String why) -> {
                    return new ParseResult.Unusable<>(why);
                }
            }
        }
        return new ParseResult.Usable<>(new LabelMatcher(List.copyOf(requirements), Kind.SOME));
    }

    /** matchLabels are In with one value; the parser holds them to the same syntax. */
    private static List<Requirement> written(LabelSelector selector) {
        List<Requirement> written = new ArrayList<>();
        Labels labels = selector.matchLabels();
        for (int i = 0; i < labels.size(); i++) {
            written.add(new Requirement(labels.key(i), "In", List.of(labels.value(i))));
        }
        written.addAll(selector.matchExpressions());
        return written;
    }

    /** {@return whether every part of the selector matches these labels} */
    public boolean matches(Labels labels) {
        if (kind == Kind.NOTHING) {
            return false;
        }
        for (LabelRequirement requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    /**
     * {@return the labels of which a matching object has at least one; empty when there is no such set, as for
     * {@code NotIn}}
     *
     * <p>Those of the expression that fewest objects are likely to meet. Example: {@code tier, app In [a b]} gives two for
     * {@code app}, since more objects have a {@code tier}. Of two single labels the later one is taken, since label keys
     * are merged in last and tell more apart than what is written.
     *
     * @param not keys whose labels are not wanted
     */
    public List<LabelAnchor> anchors(Collection<String> not) {
        List<LabelAnchor> rarest = List.of();
        for (LabelRequirement requirement : requirements) {
            if (!not.contains(requirement.key())) {
                rarest = LabelAnchor.rarer(rarest, requirement.anchors());
            }
        }
        return rarest;
    }

    /** {@return the keys that any expression speaks of} */
    public Stream<String> keys() {
        return requirements.stream().map(LabelRequirement::key);
    }

    /** {@return whether any expression speaks of the key} */
    public boolean reads(String key) {
        return requirements.stream().anyMatch(requirement -> requirement.key().equals(key));
    }

    /** {@return whether the selector was <code>{}</code>} */
    public boolean matchesEverything() {
        return kind == Kind.EVERYTHING;
    }

    /** {@return whether there was no selector} */
    public boolean matchesNothing() {
        return kind == Kind.NOTHING;
    }

    /** By what it says: one that is read anew from the same selector is equal. */
    @Override
    public boolean equals(Object other) {
        return other instanceof LabelMatcher matcher
                && kind == matcher.kind
                && requirements.equals(matcher.requirements);
    }

    @Override
    public int hashCode() {
        return 31 * kind.hashCode() + requirements.hashCode();
    }
}
