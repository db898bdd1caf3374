package dev.holdfast.operator.decode;

/** Reads the {@code Status} in which an API server says why it refuses. */
public final class StatusDecoder implements ObjectDecoder<WatchFrame.Failed> {
    /**
     * {@return what the body of a refused request says}
     *
     * @throws MalformedException if the body is anything else, such as the page of a proxy
     */
    public static WatchFrame.Failed ofBody(byte[] body) throws MalformedException {
        return new StatusDecoder().decode(Envelope.open(new Region(body)));
    }

    @Override
    public WatchFrame.Failed decode(Region object) throws MalformedException {
        ProtoReader reader = new ProtoReader();
        reader.open(object);
        int code = 0;
        String reason = "";
        String message = "";
        while (reader.next()) {
            switch (reader.field()) {
                case 3 -> message = reader.string();
                case 4 -> reason = reader.string();
                case 6 -> code = reader.int32();
                default -> reader.skip();
            }
        }
        return new WatchFrame.Failed(code, reason, message);
    }
}
