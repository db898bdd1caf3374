package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.meta.PartCount;
import dev.holdfast.operator.decode.meta.ResourceAmounts;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.ResourceQuota;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Decodes a ResourceQuota of core/v1. */
public final class QuotaDecoder implements ObjectDecoder<Versioned<ResourceQuota>> {
    /** How many limits of a quota are read, and how many characters in their names; if it has more, none is. */
    static final int MOST_LIMITS = 128;

    static final int MOST_CHARACTERS = 4 << 10;

    private final StringCache stringCache = new StringCache();
    private final MetadataDecoder metadataDecoder = new MetadataDecoder(stringCache);
    private final ProtoReader reader = new ProtoReader();

    private ResourceAmounts wanted = new ResourceAmounts();
    private ResourceAmounts enforced = new ResourceAmounts();
    private ResourceAmounts used = new ResourceAmounts();
    private Set<String> scopes = new HashSet<>();

    @Override
    public Versioned<ResourceQuota> decode(ByteSlice object) throws MalformedException {
        metadataDecoder.clear();
        wanted = new ResourceAmounts();
        enforced = new ResourceAmounts();
        used = new ResourceAmounts();
        scopes = new HashSet<>();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.ResourceQuota.METADATA -> metadataDecoder.read(reader);
                case Fields.ResourceQuota.SPEC -> spec();
                case Fields.ResourceQuota.STATUS -> status();
                default -> reader.skip();
            }
        }
        Map<String, BigDecimal> hard = new HashMap<>(wanted.byName());
        enforced.byName().forEach((name, amount) -> hard.computeIfPresent(name, (_, other) -> amount.min(other)));
        NamespacedName name = new NamespacedName(metadataDecoder.namespace(object), metadataDecoder.name(object));
        PartCount count = new PartCount();
        count.add(hard.keySet());
        if (count.exceeds(MOST_LIMITS, MOST_CHARACTERS)) {
            return new Versioned<>(
                    metadataDecoder.resourceVersion(object), ResourceQuota.unread(metadataDecoder.uid(object), name));
        }
        Map<String, BigDecimal> usedOfHard = new HashMap<>(used.byName());
        usedOfHard.keySet().retainAll(hard.keySet());
        ResourceQuota quota = new ResourceQuota(metadataDecoder.uid(object), name, scopes, hard, usedOfHard);
        return new Versioned<>(metadataDecoder.resourceVersion(object), quota);
    }

    private void spec() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.ResourceQuotaSpec.HARD -> wanted.read(reader, stringCache);
                case Fields.ResourceQuotaSpec.SCOPES -> scopes.add(stringCache.of(reader));
                case Fields.ResourceQuotaSpec.SCOPE_SELECTOR -> scopeSelector();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void scopeSelector() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.ScopeSelector.MATCH_EXPRESSIONS) {
                expression();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void expression() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.ScopedResourceSelectorRequirement.SCOPE_NAME) {
                scopes.add(stringCache.of(reader));
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void status() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.ResourceQuotaStatus.HARD -> enforced.read(reader, stringCache);
                case Fields.ResourceQuotaStatus.USED -> used.read(reader, stringCache);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }
}
