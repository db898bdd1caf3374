package dev.holdfast.operator.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * The configuration of an operator that is installed in a cluster, as its ConfigMap has it.
 *
 * @param namespace the namespace of the ConfigMap, which is that of the operator
 * @param name the name of the ConfigMap, which follows that of the release
 * @param text the content of the configuration file
 */
public record InstalledConfig(String namespace, String name, String text) {
    private static final String KEY = "config.yaml";

    /** {@return the configuration in a ConfigMap; empty if it has no configuration file} */
    public static Optional<InstalledConfig> in(JsonNode configMap) {
        JsonNode text = configMap.path("data").path(KEY);
        return text.isTextual()
                ? Optional.of(new InstalledConfig(
                        configMap.at("/metadata/namespace").asText(),
                        configMap.at("/metadata/name").asText(),
                        text.asText()))
                : Optional.empty();
    }

    /**
     * {@return the configuration as values}
     *
     * @throws ConfigException with all errors of a configuration that this version cannot read
     */
    public OperatorConfig config() throws ConfigException {
        return ConfigFile.read("ConfigMap " + this, text);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
