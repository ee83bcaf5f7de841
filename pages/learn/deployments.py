"""What did others choose, and may I compare?"""

from __future__ import annotations

from pages.ui.lessons import deployments

deployments.show()
