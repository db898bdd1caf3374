package dev.holdfast.operator.offline.explain;

import dev.holdfast.operator.offline.print.Documents;
import dev.holdfast.operator.offline.print.LineWidth;
import java.util.List;

/** The forms in which an explanation is printed: the values of {@code -o}. */
public enum ExplainOutput {
    TEXT {
        @Override
        public List<String> lines(PodExplanation explanation, LineWidth width) {
            return explanation.lines(width);
        }

        @Override
        public List<String> lines(PodListExplanation explanation, LineWidth width) {
            return explanation.lines(width);
        }

        @Override
        public List<String> lines(ScoreExplanation explanation, LineWidth width) {
            return explanation.lines(width);
        }
    },
    JSON {
        @Override
        public List<String> lines(PodExplanation explanation, LineWidth width) {
            return Documents.json(explanation);
        }

        @Override
        public List<String> lines(PodListExplanation explanation, LineWidth width) {
            return Documents.json(explanation);
        }

        @Override
        public List<String> lines(ScoreExplanation explanation, LineWidth width) {
            return Documents.json(explanation);
        }
    },
    YAML {
        @Override
        public List<String> lines(PodExplanation explanation, LineWidth width) {
            return Documents.yaml(explanation);
        }

        @Override
        public List<String> lines(PodListExplanation explanation, LineWidth width) {
            return Documents.yaml(explanation);
        }

        @Override
        public List<String> lines(ScoreExplanation explanation, LineWidth width) {
            return Documents.yaml(explanation);
        }
    };

    /**
     * {@return the explanation as lines}
     *
     * @param width the most characters of a line of text
     */
    public abstract List<String> lines(PodExplanation explanation, LineWidth width);

    /**
     * {@return the explanations as lines}
     *
     * @param width the most characters of a line of text
     */
    public abstract List<String> lines(PodListExplanation explanation, LineWidth width);

    /**
     * {@return the scores as lines}
     *
     * @param width the most characters of a line of text
     */
    public abstract List<String> lines(ScoreExplanation explanation, LineWidth width);
}
