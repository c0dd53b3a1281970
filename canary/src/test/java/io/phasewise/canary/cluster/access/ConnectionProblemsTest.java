/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.ConfigLoader;
import io.phasewise.canary.supervise.Problem;
import java.util.Map;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionProblemsTest {

    @ParameterizedTest
    @CsvSource({
        "SCRAM-SHA-256, user name or password",
        "PLAIN, user name or password",
        "OAUTHBEARER, token",
    })
    void aRefusedLoginIsNamedByWhatWasShown(String mechanism, String credential) throws Exception {
        ClusterConfig config = new ConfigLoader(Map.of())
                .load("""
                    canary:
                      clusters:
                        local:
                          bootstrap-servers: 127.0.0.1:9092
                          client: {security.protocol: SASL_SSL, sasl.mechanism: %s}
                    """.formatted(mechanism), "test")
                .config()
                .byCluster()
                .get("local")
                .get(0);

        Problem problem = ConnectionProblems.explain(new SaslAuthenticationException("no, not 100 %"), config, false);

        assertThat(problem.key()).isEqualTo("client.sasl.jaas.config");
        assertThat(problem.message())
                .isEqualTo("the cluster refuses the " + credential + ": SaslAuthenticationException: no, not 100 %");
    }
}
