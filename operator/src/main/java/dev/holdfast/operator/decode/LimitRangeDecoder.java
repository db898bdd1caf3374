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
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.NamespacedName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Decodes a LimitRange of core/v1, with the defaults that the API server derives from minimum and maximum. */
public final class LimitRangeDecoder implements ObjectDecoder<Versioned<LimitRange>> {
    /**
     * The maximum number of amounts about pods and containers, and of characters in their names; of more, none is read.
     */
    static final int MOST_AMOUNTS = 64;

    static final int MOST_CHARACTERS = 2 << 10;

    private final StringCache stringCache = new StringCache();
    private final MetadataDecoder metadataDecoder = new MetadataDecoder(stringCache);
    private final ProtoReader reader = new ProtoReader();

    private List<LimitRange.Item> items = new ArrayList<>();
    private PartCount count = new PartCount();

    @Override
    public Versioned<LimitRange> decode(ByteSlice object) throws MalformedException {
        metadataDecoder.clear();
        items = new ArrayList<>();
        count = new PartCount();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.LimitRange.METADATA -> metadataDecoder.read(reader);
                case Fields.LimitRange.SPEC -> spec();
                default -> reader.skip();
            }
        }
        String uid = metadataDecoder.uid(object);
        NamespacedName name = new NamespacedName(metadataDecoder.namespace(object), metadataDecoder.name(object));
        return new Versioned<>(
                metadataDecoder.resourceVersion(object),
                count.exceeds(MOST_AMOUNTS, MOST_CHARACTERS)
                        ? LimitRange.unread(uid, name)
                        : new LimitRange(uid, name, items));
    }

    private void spec() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.LimitRangeSpec.LIMITS) {
                item();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void item() throws MalformedException {
        String type = "";
        ResourceAmounts max = new ResourceAmounts();
        ResourceAmounts min = new ResourceAmounts();
        ResourceAmounts limits = new ResourceAmounts();
        ResourceAmounts requests = new ResourceAmounts();
        ResourceAmounts ratios = new ResourceAmounts();
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.LimitRangeItem.TYPE -> type = stringCache.of(reader);
                case Fields.LimitRangeItem.MAX -> max.read(reader, stringCache);
                case Fields.LimitRangeItem.MIN -> min.read(reader, stringCache);
                case Fields.LimitRangeItem.DEFAULT -> limits.read(reader, stringCache);
                case Fields.LimitRangeItem.DEFAULT_REQUEST -> requests.read(reader, stringCache);
                case Fields.LimitRangeItem.MAX_LIMIT_REQUEST_RATIO -> ratios.read(reader, stringCache);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        switch (type) {
            case "Container" -> {
                ResourceAmounts defaultLimits = max.copy().replace(limits);
                add(
                        LimitRange.Type.CONTAINER,
                        max,
                        min,
                        defaultLimits,
                        min.copy().replace(defaultLimits).replace(requests),
                        ratios);
            }
            case "Pod" -> add(LimitRange.Type.POD, max, min, new ResourceAmounts(), new ResourceAmounts(), ratios);
            default -> {
                // About claims, or about objects of other API servers.
            }
        }
    }

    private void add(
            LimitRange.Type type,
            ResourceAmounts max,
            ResourceAmounts min,
            ResourceAmounts limits,
            ResourceAmounts requests,
            ResourceAmounts ratios) {
        Stream.of(max, min, limits, requests, ratios)
                .map(ResourceAmounts::byName)
                .map(Map::keySet)
                .forEach(count::add);
        if (!count.exceeds(MOST_AMOUNTS, MOST_CHARACTERS)) {
            items.add(new LimitRange.Item(
                    type,
                    max.thousandths(),
                    min.thousandths(),
                    limits.thousandths(),
                    requests.thousandths(),
                    ratios.thousandths()));
        }
    }
}
