package dev.holdfast.operator.offline.dump.text;

import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactoryBuilder;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.Reader;
import java.io.Serial;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.events.NodeEvent;

/** Makes YAML parsers that know the anchors of all values. Jackson's own know those of lists and objects alone. */
final class YamlWithAnchors extends YAMLFactory {
    @Serial
    private static final long serialVersionUID = 1;

    YamlWithAnchors(YAMLFactoryBuilder options) {
        super(options);
    }

    @Override
    protected YAMLParser _createParser(Reader text, IOContext context) {
        return new Parser(
                context, _parserFeatures, new Settings(_yamlParserFeatures, _loaderOptions), _objectCodec, text);
    }

    /** What a parser of YAML needs besides that of JSON. */
    private record Settings(int features, LoaderOptions options) {}

    /** A parser whose current value may have an anchor. */
    static final class Parser extends YAMLParser {
        private Parser(IOContext context, int features, Settings yaml, ObjectCodec codec, Reader text) {
            super(context, features, yaml.features(), yaml.options(), codec, text);
        }

        /** {@return where the current value begins} */
        Mark start() {
            return _lastEvent.getStartMark();
        }

        /** {@return the anchor of the current value; empty if it has none} */
        Optional<String> anchor() {
            return _lastEvent instanceof NodeEvent node ? Optional.ofNullable(node.getAnchor()) : Optional.empty();
        }
    }
}
