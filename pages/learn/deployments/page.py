"""What did others choose, and may I compare?"""

from __future__ import annotations

from pages.learn.deployments import deployments

deployments.show()
