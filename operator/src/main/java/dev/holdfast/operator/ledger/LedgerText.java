package dev.holdfast.operator.ledger;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.holdfast.policies.plan.move.BreakerScope;
import dev.holdfast.policies.plan.move.Scope;
import dev.holdfast.policies.rule.RuleIdentity;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The text of a ledger: JSON in gzip, whose checksum shows an edit or a truncation. The names in the JSON are those of
 * the records in {@code dev.holdfast.policies.engine.protocol.ledger}. A field that a reader does not know is ignored,
 * so a later version can add fields. A later version must read a text without its new fields, so added fields are
 * optional. All other fields must be there.
 */
final class LedgerText {
    /** The maximum length of a text that is read, so that no ledger fills the heap. 10,000 nodes take about 2 MB. */
    private static final int MOST_TEXT = 8 << 20;

    private static final String TIME = "time";

    /** The longest duration that is stored: no pod runs for longer, and no policy forgives longer. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .addModule(new SimpleModule()
                    .addSerializer(Instant.class, new InstantWriter())
                    .addDeserializer(Instant.class, new InstantReader())
                    .addSerializer(Duration.class, ToStringSerializer.instance)
                    .addDeserializer(Duration.class, new DurationReader())
                    .addSerializer(RuleIdentity.class, ToStringSerializer.instance)
                    .addDeserializer(RuleIdentity.class, new RuleIdentityReader()))
            .visibility(PropertyAccessor.GETTER, JsonAutoDetect.Visibility.NONE)
            .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE)
            .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_ABSENT, JsonInclude.Include.NON_ABSENT))
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                    DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .addMixIn(Scope.class, OfScope.class)
            .addMixIn(BreakerScope.class, OfBreakerScope.class)
            .build();

    private LedgerText() {}

    /** The names under which the kinds of scope are stored. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Scope.Alone.class, name = "alone"),
        @JsonSubTypes.Type(value = Scope.SameRule.class, name = "sameRule"),
        @JsonSubTypes.Type(value = Scope.Conflicting.class, name = "conflicting")
    })
    private interface OfScope {}

    /** The names under which the kinds of scope of a breaker are stored. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = BreakerScope.Everything.class, name = "everything"),
        @JsonSubTypes.Type(value = BreakerScope.NodeLabel.class, name = "nodeLabel"),
        @JsonSubTypes.Type(value = BreakerScope.NodeLabelForPolicies.class, name = "nodeLabelForPolicies"),
        @JsonSubTypes.Type(value = BreakerScope.OneNamespace.class, name = "oneNamespace")
    })
    private interface OfBreakerScope {}

    private static final class InstantWriter extends JsonSerializer<Instant> {
        @Override
        public void serialize(Instant instant, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeString(time(provider.getAttribute(TIME)).toServer(instant).toString());
        }
    }

    private static final class InstantReader extends JsonDeserializer<Instant> {
        @Override
        public Instant deserialize(JsonParser json, DeserializationContext context) throws IOException {
            return time(context.getAttribute(TIME)).toSteady(Instant.parse(json.getValueAsString("")));
        }
    }

    private static final class DurationReader extends JsonDeserializer<Duration> {
        @Override
        public Duration deserialize(JsonParser json, DeserializationContext context) throws IOException {
            Duration read = Duration.parse(json.getValueAsString(""));
            if (read.isNegative() || read.compareTo(LONGEST) > 0) {
                throw new IOException("a duration below zero or above " + LONGEST);
            }
            return read;
        }
    }

    private static final class RuleIdentityReader extends JsonDeserializer<RuleIdentity> {
        @Override
        public RuleIdentity deserialize(JsonParser json, DeserializationContext context) throws IOException {
            return new RuleIdentity(json.getValueAsString(""));
        }
    }

    private static ServerTime time(Object attribute) {
        return (ServerTime) attribute;
    }

    /** {@return the compressed text of a part of the ledger; empty if it is longer than what {@link #read} reads} */
    static Optional<byte[]> write(Stored part, ServerTime time) {
        try {
            byte[] text = JSON.writer().withAttribute(TIME, time).writeValueAsBytes(part);
            return text.length > MOST_TEXT ? Optional.empty() : Optional.of(zipped(text));
        } catch (IOException e) {
            throw new IllegalStateException("every ledger has a text", e);
        }
    }

    private static byte[] zipped(byte[] text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(text);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads the text of a part of the ledger.
     *
     * @param part what the text should be
     * @param uid the UID of the ConfigMap that has the text
     */
    static <T extends Stored> T read(Class<T> part, byte[] bytes, String uid, ServerTime time)
            throws UnreadableLedgerException {
        try {
            JsonNode text = JSON.readTree(unzipped(bytes));
            int readableFrom = text.path("readableFrom").asInt();
            if (readableFrom > Stored.FORMAT) {
                throw UnreadableLedgerException.ofLaterVersion(readableFrom);
            }
            if (!text.path("uid").asText().equals(uid)) {
                throw UnreadableLedgerException.because("it was copied from another object");
            }
            return JSON.readerFor(part).withAttribute(TIME, time).readValue(text);
        } catch (IOException | RuntimeException e) {
            throw UnreadableLedgerException.because(
                    "it is damaged (" + e.getClass().getSimpleName() + ")");
        }
    }

    private static byte[] unzipped(byte[] bytes) throws IOException {
        try (GZIPInputStream text = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            byte[] read = text.readNBytes(MOST_TEXT + 1);
            if (read.length > MOST_TEXT) {
                throw new IOException("more than " + MOST_TEXT + " bytes");
            }
            return read;
        }
    }
}
