package dev.holdfast.operator.decode.protobuf;

import dev.holdfast.operator.decode.fields.Fields;

/** Decodes the {@code Status} with which an API server refuses a request or ends a watch. */
public final class StatusDecoder implements ObjectDecoder<WatchFrame.Failed> {
    /**
     * {@return code, reason and message of the Status in the response body of a refused request}
     *
     * @throws MalformedException if the body is not a Status in protobuf, for example if it is a page of a proxy
     */
    public static WatchFrame.Failed ofBody(byte[] body) throws MalformedException {
        return new StatusDecoder().decode(Envelope.open(new ByteSlice(body), "Status"));
    }

    /**
     * {@return the token in the Status of an expired list, with which the rest of the list can be read as it is now;
     * empty if there is none}
     *
     * @throws MalformedException if the body is not a Status in protobuf
     */
    public static String continueToken(byte[] body) throws MalformedException {
        ProtoReader status = new ProtoReader();
        ProtoReader metadata = new ProtoReader();
        status.open(Envelope.open(new ByteSlice(body), "Status"));
        String token = "";
        while (status.next()) {
            if (status.field() == Fields.Status.METADATA) {
                metadata.open(status.byteSlice());
                while (metadata.next()) {
                    if (metadata.field() == Fields.ListMeta.CONTINUE) {
                        token = metadata.string();
                    } else {
                        metadata.skip();
                    }
                }
            } else {
                status.skip();
            }
        }
        return token;
    }

    @Override
    public WatchFrame.Failed decode(ByteSlice object) throws MalformedException {
        ProtoReader reader = new ProtoReader();
        reader.open(object);
        int code = 0;
        String reason = "";
        String message = "";
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.Status.MESSAGE -> message = reader.string();
                case Fields.Status.REASON -> reason = reader.string();
                case Fields.Status.CODE -> code = reader.int32();
                default -> reader.skip();
            }
        }
        return new WatchFrame.Failed(code, reason, message);
    }
}
