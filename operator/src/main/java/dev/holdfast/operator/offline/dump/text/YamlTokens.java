package dev.holdfast.operator.offline.dump.text;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;

/**
 * The tokens of a YAML text, in which each alias ({@code *name}) is replaced by the value of its anchor ({@code
 * &name}). A short text can stand for a very long one, so their sizes are limited.
 */
final class YamlTokens extends JsonParserDelegate {
    /** The maximum depth of nesting; no object of Kubernetes is nested as deeply. */
    static final int MOST_DEPTH = 100;

    /** The most characters that the aliases of one text stand for; an object of Kubernetes has at most 1.5 MiB. */
    private static final int MOST_REPLACED = 10_000_000;

    /** The most characters of one value with an anchor. */
    private static final int MOST_KEPT = 2_000_000;

    /** The most characters of all values with anchors in one document. */
    private static final int MOST_KEPT_IN_ALL = 10_000_000;

    /** What a token costs, besides its characters. */
    private static final int TOKEN = 8;

    private final YamlWithAnchors.Parser yaml;
    private final Map<String, Kept> anchors = new HashMap<>();

    /** The values with an anchor that have begun and not ended, the innermost first. */
    private final Deque<Kept> open = new ArrayDeque<>();

    private int depth;
    private long keptInAll;
    private long replaced;

    YamlTokens(YamlWithAnchors.Parser yaml) {
        super(yaml);
        this.yaml = yaml;
    }

    /** A value with an anchor. */
    private static final class Kept {
        private TokenBuffer tokens;
        private int depth;
        private long size;
        private boolean isTooLarge;

        Kept(JsonParser json) {
            tokens = new TokenBuffer(json);
        }

        /** Forgets the value, and keeps how deep the text is in it. */
        void forget(JsonParser json) {
            tokens = new TokenBuffer(json);
            isTooLarge = true;
        }

        void add(JsonParser json, JsonToken token, int cost) throws IOException {
            size += cost;
            if (!isTooLarge) {
                tokens.copyCurrentEvent(json);
            }
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        }

        boolean isWhole() {
            return depth == 0;
        }
    }

    @Override
    public @Nullable JsonToken nextToken() throws IOException {
        JsonToken token = delegate.nextToken();
        if (token == null && delegate != yaml) {
            delegate = yaml;
            token = delegate.nextToken();
        }
        if (token == null) {
            return null;
        }
        if (delegate == yaml) {
            if (depth == 0) {
                // An anchor is one of its document.
                anchors.clear();
                keptInAll = 0;
            }
            if (yaml.isCurrentAlias()) {
                token = replace(yaml.getText());
            } else if (token != JsonToken.FIELD_NAME && !token.isStructEnd()) {
                yaml.anchor().ifPresent(this::begin);
            }
        }
        if (token == JsonToken.FIELD_NAME && delegate.currentName().equals("<<")) {
            throw new WrongDumpException(
                    "the YAML merge key << is not read: write the fields themselves", currentLocation());
        }
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (depth > MOST_DEPTH) {
            throw new WrongDumpException(
                    "the nesting depth is more than the maximum allowed, " + MOST_DEPTH, currentLocation());
        }
        keep(token);
        return token;
    }

    /** {@return where the last value of the text itself begins} */
    Mark start() {
        return yaml.start();
    }

    private JsonToken replace(String anchor) throws IOException {
        Optional<Kept> kept = Optional.ofNullable(anchors.get(anchor));
        if (kept.isEmpty() || open.contains(kept.get())) {
            throw new WrongDumpException(
                    "the YAML alias *" + anchor + " has no anchor &" + anchor + " before it", currentLocation());
        }
        replaced += kept.get().size;
        if (kept.get().isTooLarge || replaced > MOST_REPLACED) {
            throw new WrongDumpException(
                    String.format(
                            Locale.ROOT,
                            "the YAML alias *%s is too large: aliases stand for at most %,d characters each, and %,d in"
                                    + " all: write the value itself",
                            anchor,
                            MOST_KEPT,
                            MOST_REPLACED),
                    currentLocation());
        }
        delegate = kept.get()
                .tokens
                .overrideParentContext(yaml.getParsingContext())
                .asParser(yaml);
        return delegate.nextToken();
    }

    private void begin(String anchor) {
        Kept kept = new Kept(yaml);
        anchors.put(anchor, kept);
        open.push(kept);
    }

    /** Adds the token to the values with an anchor that it is in. */
    private void keep(JsonToken token) throws IOException {
        if (open.isEmpty()) {
            return;
        }
        int cost = TOKEN + (token.isScalarValue() || token == JsonToken.FIELD_NAME ? delegate.getTextLength() : 0);
        for (Kept kept : open) {
            keptInAll += cost;
            if (kept.size > MOST_KEPT || keptInAll > MOST_KEPT_IN_ALL) {
                kept.forget(yaml);
            }
            kept.add(delegate, token, cost);
        }
        open.removeIf(Kept::isWhole);
    }

    @Override
    public JsonParser skipChildren() throws IOException {
        for (int depth = currentToken() != null && currentToken().isStructStart() ? 1 : 0; depth > 0; ) {
            JsonToken token = nextToken();
            if (token == null) {
                return this;
            }
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        }
        return this;
    }

    @Override
    public @Nullable JsonToken nextValue() throws IOException {
        JsonToken token = nextToken();
        return token == JsonToken.FIELD_NAME ? nextToken() : token;
    }

    @Override
    public JsonLocation currentLocation() {
        return yaml.currentLocation();
    }

    @Override
    public JsonLocation currentTokenLocation() {
        return yaml.currentTokenLocation();
    }
}
