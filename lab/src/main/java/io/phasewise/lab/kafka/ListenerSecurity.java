/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import java.util.Map;

/** How clients reach the brokers: in the clear, or encrypted and with a password. */
public sealed interface ListenerSecurity {

    /** No encryption, no passwords; every client is anonymous. */
    record Plaintext() implements ListenerSecurity {}

    /**
     * SASL_SSL with SCRAM-SHA-512, on certificates made when the cluster starts.
     *
     * @param superUser who may do everything; the brokers use it among themselves
     * @param superPassword the super user's password
     * @param users further users and their passwords
     * @param authorizer whether what a user may do is decided by ACLs; when not, everyone who knows
     *     a password may do everything
     */
    record SaslSsl(
            String superUser, String superPassword, Map<String, String> users, boolean authorizer)
            implements ListenerSecurity {

        /**
         * @throws IllegalArgumentException when the super user is among the users, or a name or
         *     password holds a character that cannot be given to the storage tool
         */
        public SaslSsl {
            users = Map.copyOf(users);
            if (users.containsKey(superUser)) {
                throw new IllegalArgumentException(superUser + " is the super user and a user");
            }
            requirePlain(superUser, superPassword);
            users.forEach(SaslSsl::requirePlain);
        }

        private static void requirePlain(String user, String password) {
            if (!user.matches("[A-Za-z0-9._-]+")) {
                throw new IllegalArgumentException(
                        "user name " + user + ": letters, digits, '.', '_' and '-' are allowed");
            }
            if (!password.matches("[A-Za-z0-9._!#%&*+=~^-]+")) {
                throw new IllegalArgumentException(
                        "the password of %s holds a character that is not allowed: letters, digits and ._!#%%&*+=~^- are"
                                .formatted(user));
            }
        }

        /** Leaves the passwords out. */
        @Override
        public String toString() {
            return "SaslSsl[superUser=%s, users=%s, authorizer=%b]"
                    .formatted(superUser, users.keySet(), authorizer);
        }
    }
}
