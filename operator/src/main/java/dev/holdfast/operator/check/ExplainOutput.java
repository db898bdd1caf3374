package dev.holdfast.operator.check;

import dev.holdfast.operator.print.Documents;
import java.util.List;

/** The forms in which an explanation is printed: the values of {@code -o}. */
public enum ExplainOutput {
    TEXT {
        @Override
        public List<String> lines(PodExplanation explanation) {
            return explanation.lines();
        }

        @Override
        public List<String> lines(PodListExplanation explanation) {
            return explanation.lines();
        }
    },
    JSON {
        @Override
        public List<String> lines(PodExplanation explanation) {
            return Documents.json(explanation);
        }

        @Override
        public List<String> lines(PodListExplanation explanation) {
            return Documents.json(explanation);
        }
    },
    YAML {
        @Override
        public List<String> lines(PodExplanation explanation) {
            return Documents.yaml(explanation);
        }

        @Override
        public List<String> lines(PodListExplanation explanation) {
            return Documents.yaml(explanation);
        }
    };

    /** {@return the explanation as lines} */
    public abstract List<String> lines(PodExplanation explanation);

    /** {@return the explanations as lines} */
    public abstract List<String> lines(PodListExplanation explanation);
}
