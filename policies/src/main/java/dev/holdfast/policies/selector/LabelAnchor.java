package dev.holdfast.policies.selector;

import java.util.Optional;

/**
 * A label that an object must have for a selector to match it, so that the selector can be filed under it.
 *
 * @param value absent when any value will do
 */
public record LabelAnchor(String key, Optional<String> value) {}
