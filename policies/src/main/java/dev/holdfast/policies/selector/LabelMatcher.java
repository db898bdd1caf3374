package dev.holdfast.policies.selector;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Requirement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A parsed label selector. Source: {@code metav1.LabelSelectorAsSelector} of apimachinery.
 *
 * <p>Example: the selector {@code app=web, tier NotIn [batch]} matches an object that has only the label {@code
 * app=web}, since an absent key satisfies NotIn. The selector does not match an object with {@code app=web,tier=batch}.
 */
public final class LabelMatcher implements Predicate<Labels> {
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

    /** {@return the parsed selector; an absent selector matches nothing, <code>{}</code> matches everything (PA-1)} */
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

    /** {@return all expressions of the selector; a label of matchLabels is an {@code In} expression with one value} */
    private static List<Requirement> written(LabelSelector selector) {
        List<Requirement> written = new ArrayList<>();
        Labels labels = selector.matchLabels();
        for (int i = 0; i < labels.size(); i++) {
            written.add(new Requirement(labels.key(i), "In", List.of(labels.value(i))));
        }
        written.addAll(selector.matchExpressions());
        return written;
    }

    @Override
    public boolean test(Labels labels) {
        return matches(labels);
    }

    /** {@return whether the selector matches an object with these labels; false if only unread labels would decide} */
    public boolean matches(Labels labels) {
        if (kind == Kind.NOTHING || (labels.areUnread() && kind == Kind.SOME)) {
            return false;
        }
        for (LabelRequirement requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether the selector matches an object with these labels, or may match it because they are unread} */
    public boolean mayMatch(Labels labels) {
        return labels.areUnread() ? kind != Kind.NOTHING : matches(labels);
    }

    /**
     * {@return the anchors of the selector: every matching object has at least one of them; empty if an object without
     * any label may match, as with {@code NotIn}}
     *
     * <p>The anchors come from the one expression that the fewest objects are likely to satisfy. Example: {@code tier,
     * app In [a b]} has the anchors {@code app=a} and {@code app=b}, since more objects have a {@code tier} label. Of
     * two equally rare expressions the later one is used: merged matchLabelKeys come last, and fewer objects satisfy
     * them.
     *
     * @param not the keys of expressions to leave out
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

    /** {@return whether the selector is <code>{}</code>, which matches every object} */
    public boolean matchesEverything() {
        return kind == Kind.EVERYTHING;
    }

    /** {@return whether the selector is absent, so that it matches no object} */
    public boolean matchesNothing() {
        return kind == Kind.NOTHING;
    }

    /** Two matchers are equal if they have equal expressions in the same order. */
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
