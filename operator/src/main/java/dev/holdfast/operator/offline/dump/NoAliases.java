package dev.holdfast.operator.offline.dump;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;

/** Refuses YAML aliases, with which a short text can stand for a very long one. kubectl writes none. */
final class NoAliases extends JsonParserDelegate {
    private final YAMLParser yaml;

    NoAliases(YAMLParser yaml) {
        super(yaml);
        this.yaml = yaml;
    }

    @Override
    public JsonToken nextToken() throws IOException {
        JsonToken token = super.nextToken();
        if (yaml.isCurrentAlias()) {
            throw new WrongDumpException(
                    "YAML aliases (*name) are not read: write the value itself", currentLocation());
        }
        return token;
    }
}
