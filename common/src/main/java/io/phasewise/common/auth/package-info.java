/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Who may read an endpoint: one user, with a password from a file or a hash of it. */
package io.phasewise.common.auth;
