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
 * <p>Example: {@code app=web, tier NotIn [batch]} matches {@code app=web}, since an absent key satisfies NotIn. It does
 * not match {@code app=web,tier=batch}.
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

    /** {@return the matcher of an absent selector, which matches no object} */
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

    /** Treats each pair of matchLabels as In with one value, so that the parser checks its syntax too. */
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
     * {@return labels of which every matching object has at least one; empty if no such set exists, as for
     * {@code NotIn}}
     *
     * <p>They come from the expression that the fewest objects are likely to satisfy. Example: {@code tier, app In [a
     * b]} gives two labels for {@code app}, since more objects have a {@code tier}. Of two single labels the later
     * one is used: merged label keys are last in the list and select fewer objects than the written labels.
     *
     * @param not keys that the result must not contain
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

    /** {@return the keys of all expressions, possibly with duplicates} */
    public Stream<String> keys() {
        return requirements.stream().map(LabelRequirement::key);
    }

    /** {@return whether any expression has this key} */
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

    /** Compares the parsed content: two matchers parsed from the same selector are equal. */
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
